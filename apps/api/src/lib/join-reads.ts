/** Max number of keys that are joined into one read. */
const JOINED_MAX = 500

interface Waiting<Key, Value> {
  readonly key: Key
  resolve(value: Value): void
  reject(error: unknown): void
}

/**
 * Joins keys into one read if they are requested in one turn of the event loop, or while another read runs. Nothing is
 * cached, so a key is always read after it was requested. `readAll` resolves to the values in the order of the keys.
 */
export function joinReads<Key, Value>(
  readAll: (keys: readonly Key[]) => Promise<readonly Value[]>,
): (key: Key) => Promise<Value> {
  const waiting: Waiting<Key, Value>[] = []
  let isReading = false
  const readOn = async () => {
    while (waiting.length > 0) {
      const joined = waiting.splice(0, JOINED_MAX)
      try {
        const values = await readAll(joined.map(({ key }) => key))
        for (const [n, { resolve }] of joined.entries()) resolve(values[n] as Value)
      } catch (error) {
        for (const { reject } of joined) reject(error)
      }
    }
    isReading = false
  }
  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (isReading) return
      isReading = true
      queueMicrotask(readOn)
    })
}
