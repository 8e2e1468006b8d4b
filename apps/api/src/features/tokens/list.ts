import type { z } from 'zod'
import type { App } from '../../context.ts'
import type { listInput, TokenPage } from './schemas.ts'

/** One page of tokens. Throws `BadInputError` for a cursor that is none. */
export async function listTokens(_app: App, _input: z.output<typeof listInput>): Promise<TokenPage> {
  throw new Error('not built yet')
}
