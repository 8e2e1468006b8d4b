// Evaluating the scripts takes longer than a frame: what stands in the page is painted first. Then one file after the
// other is evaluated, and the browser draws and listens in between.
const files = document.currentScript.dataset.app.split(' ')
let isStarted = false
const start = async () => {
  if (isStarted) return
  isStarted = true
  for (const href of files) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href }))
  }
  for (const file of files) {
    await import(file)
    await new Promise((resolve) => setTimeout(resolve))
  }
}
requestAnimationFrame(() => setTimeout(start))
// A hidden tab paints nothing.
setTimeout(start, 300)
