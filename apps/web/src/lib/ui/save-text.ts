/** Downloads a text as a file. */
export function saveText(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // Keep the URL alive until the browser has read it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
