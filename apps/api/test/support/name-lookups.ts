import dns, { type LookupAddress } from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished, vi } from 'vitest'

type Found = (error: Error | null, addresses: LookupAddress[]) => void

/** Until the test ends, every host name leads to the address that `next` returns. */
export function answerLookups(next: () => string): void {
  const spy = vi.spyOn(dns, 'lookup')
  const answer = (_host: string, _options: unknown, found: Found) => {
    const address = next()
    found(null, [{ address, family: address.includes(':') ? 6 : 4 }])
  }
  spy.mockImplementation(answer as never)
  syncBuiltinESMExports()
  onTestFinished(() => {
    spy.mockRestore()
    syncBuiltinESMExports()
  })
}
