/** Loaded into a server: collects garbage on its parent's request, so that its memory can be measured. */
process.on('message', (message: unknown) => {
  if (message !== 'gc') return
  globalThis.gc?.()
  process.send?.('gc')
})
