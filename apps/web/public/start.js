// Evaluating the scripts takes longer than a frame: what stands in the page is painted first.
const { app } = document.currentScript.dataset
let isStarted = false
const start = () => {
  if (isStarted) return
  isStarted = true
  import(app)
}
requestAnimationFrame(() => setTimeout(start))
// A hidden tab paints nothing.
setTimeout(start, 300)
