// Evaluating the scripts takes longer than a frame: what stands in the page is painted first. Then one file after the
// other is evaluated, and the browser draws and listens in between.
const files = document.currentScript.dataset.app.split(' ')
// What only this screen needs: the app evaluates it when it draws the screen.
const screenFiles = document.querySelector('meta[name="screen-scripts"]')?.content.split(' ') ?? []
const RELOADED = 'papermoon-reloaded-to-start'
let isStarted = false

const start = async () => {
  if (isStarted) return
  isStarted = true
  for (const href of [...files, ...screenFiles]) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href }))
  }
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

// A browser asks no second time for a script that did not come, so the page is loaded anew: once, until it has started.
// Without a network, nothing but the browser's own error page would come of it.
const mayReload = () => {
  try {
    if (!navigator.onLine || sessionStorage.getItem(RELOADED) !== null) return false
    sessionStorage.setItem(RELOADED, 'true')
    return true
  } catch {
    // Storage is blocked: there is nothing to count in.
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

// The view that stands looks as if it could be used.
const tell = () => {
  const { content } = document.getElementById('not-started')
  content.querySelector('button').onclick = () => location.reload()
  document.getElementById('root').prepend(content)
}

requestAnimationFrame(() => setTimeout(start))
// A hidden tab paints nothing.
setTimeout(start, 300)
