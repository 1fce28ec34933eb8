export function download(text: string, fileName: string, mediaType: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: mediaType }));
  Object.assign(document.createElement('a'), { href: url, download: fileName }).click();
  URL.revokeObjectURL(url);
}

/** Downloads a URL. The browser streams the file to disk. */
export function downloadUrl(address: string): void {
  Object.assign(document.createElement('a'), { href: address, download: '' }).click();
}
