/** Loaded into a server beside its own code: collects garbage when its parent asks, so that its memory can be told. */
process.on('message', (told: unknown) => {
  if (told !== 'gc') return
  globalThis.gc?.()
  process.send?.('gc')
})
