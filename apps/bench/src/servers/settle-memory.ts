/**
 * Code to load into a server. It collects garbage on its parent's request, so that the parent can measure the server's
 * memory.
 */
process.on('message', (message: unknown) => {
  if (message !== 'gc') return
  globalThis.gc?.()
  process.send?.('gc')
})
