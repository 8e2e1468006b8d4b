import { z } from 'zod'

const settings = z.object({
  PAPERMOON_URL: z.url({ protocol: /^https?$/ }).default('http://localhost:3000'),
  PAPERMOON_KEY: z.string().min(1).optional(),
})

export interface Settings {
  readonly url: string
  /** Absent: the market can be read, and nothing else. */
  readonly apiKey: string | undefined
}

/** Reads the environment. Throws a sentence for the host's log if a variable is wrong. */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const parsed = settings.safeParse(environment)
  if (!parsed.success) throw new Error(`The environment is wrong: ${z.prettifyError(parsed.error)}`)
  return { url: parsed.data.PAPERMOON_URL, apiKey: parsed.data.PAPERMOON_KEY }
}
