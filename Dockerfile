# A broker for tables that come and go; any other command comes after the name of the image.
FROM python:3.12-slim AS wheel
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12-slim
RUN --mount=from=wheel,source=/wheels,target=/wheels pip install --no-cache-dir --only-binary :all: /wheels/*.whl
RUN useradd --create-home wasabi && install --directory --owner wasabi /data
USER wasabi
ENV WASABI_TX_HOME=/data
VOLUME /data
EXPOSE 1883 8080
ENTRYPOINT ["wasabi-tx"]
CMD ["broker"]
