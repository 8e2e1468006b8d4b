/** Loaded into a server: collects garbage on its parent's request, so that its memory can be measured. */
process.on('message', (told: unknown) => {
  if (told !== 'gc') return
  globalThis.gc?.()
  process.send?.('gc')
})
