// Evaluating the scripts takes longer than a frame, so paint the static view first. Then evaluate one file per task, so
// that the browser can paint and handle input in between.
const files = document.currentScript.dataset.app.split(' ')
// This screen's own chunks: fetched here, evaluated by the app.
const screenFiles = document.querySelector('meta[name="screen-scripts"]')?.content.split(' ') ?? []
const RELOADED = 'papermoon-reloaded-to-start'
let isStarted = false

const preload = (hrefs) => {
  for (const href of hrefs) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href }))
  }
}

const start = async () => {
  if (isStarted) return
  isStarted = true
  preload(files)
  setTimeout(preload, 0, screenFiles)
  try {
    for (const file of files) {
      await import(file)
      await new Promise((resolve) => setTimeout(resolve))
    }
  } catch (error) {
    if (mayReload()) return location.reload()
    tell()
    return reportError(error)
  }
  forgetReload()
}

// Browsers do not retry a failed module script, so reload the page, once until the app has started. Without a network a
// reload would only show the browser's error page.
const mayReload = () => {
  try {
    if (!navigator.onLine || sessionStorage.getItem(RELOADED) !== null) return false
    sessionStorage.setItem(RELOADED, 'true')
    return true
  } catch {
    // Storage is blocked: reloads cannot be counted, so do none.
    return false
  }
}

const forgetReload = () => {
  try {
    sessionStorage.removeItem(RELOADED)
  } catch {
    // Storage is blocked: nothing was counted.
  }
}

// The static view looks usable although it is not, so say what is wrong.
const tell = () => {
  const { content } = document.getElementById('not-started')
  content.querySelector('button').onclick = () => location.reload()
  document.getElementById('root').prepend(content)
}

requestAnimationFrame(() => setTimeout(start))
// Hidden tabs get no animation frames.
setTimeout(start, 300)
