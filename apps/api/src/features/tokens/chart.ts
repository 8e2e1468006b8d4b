import type { z } from 'zod'
import type { App } from '../../context.ts'
import type { Chart, chartInput } from './schemas.ts'

/** Candles, ticks and figures of a token over a timeframe. Throws `TokenNotFoundError`. */
export async function chartOf(_app: App, _input: z.output<typeof chartInput>): Promise<Chart> {
  throw new Error('not built yet')
}
