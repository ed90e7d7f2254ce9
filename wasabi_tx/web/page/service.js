// Keeps the files of this folder, so that the program starts without a network after the first visit.
const KEPT = "wasabi-tx VERSION";

addEventListener("install", (event) => event.waitUntil((async () => {
  const files = await (await fetch("files.json")).json();
  await (await caches.open(KEPT)).addAll(files);
  await skipWaiting();
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("wasabi-tx ") && name !== KEPT) await caches.delete(name);
  await clients.claim();
})()));

addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith((async () => (await (await caches.open(KEPT)).match(event.request, { ignoreSearch: true })) ?? fetch(event.request))());
});
