import { z } from 'zod'
import { formatHosts, isLinkOfKind, type LinkKind } from './link-hosts.ts'

const LINK_MAX = 200

/**
 * Control, bidi override, zero-width, surrogate and unassigned characters: they make different texts look equal, and
 * PostgreSQL refuses some of them.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5/u

/** One line of visible text of `charactersMin` to `charactersMax` characters; trimmed, NFC, single spaces. */
export function text(field: string, charactersMax: number, charactersMin = 1) {
  return z
    .string()
    .max(charactersMax * 8, `must be at most ${charactersMax} characters`)
    .meta({ minLength: charactersMin, maxLength: charactersMax })
    .transform((value) => value.normalize('NFC').trim().replace(/\s+/g, ' '))
    .refine((value) => value.length > 0 || charactersMin === 0, { message: 'is required', abort: true })
    .refine((value) => [...value].length >= charactersMin, {
      message: `must be at least ${charactersMin} characters`,
      abort: true,
    })
    .refine((value) => [...value].length <= charactersMax, {
      message: `must be at most ${charactersMax} characters`,
      abort: true,
    })
    .refine((value) => !hasHiddenCharacters(value), `must not hold invisible characters`)
    .describe(`The ${field}: ${charactersMin} to ${charactersMax} characters.`)
}

/** Optional text of several lines; empty means null. */
export function optionalText(field: string, charactersMax: number) {
  return z
    .string()
    .max(charactersMax * 8, `must be at most ${charactersMax} characters`)
    .meta({ maxLength: charactersMax })
    .optional()
    .transform((value) => value?.normalize('NFC').replace(/\r\n?/g, '\n').trim() || null)
    .refine(
      (value) => value === null || [...value].length <= charactersMax,
      `must be at most ${charactersMax} characters`,
    )
    .refine(
      (value) => value === null || !hasHiddenCharacters(value.replaceAll('\n', '')),
      `must not hold invisible characters`,
    )
    .describe(`The ${field}: at most ${charactersMax} characters.`)
}

/** An optional absolute http(s) URL, as the URL standard writes it; empty means null. */
export const link = z
  .string()
  .max(LINK_MAX, `must be at most ${LINK_MAX} characters`)
  .optional()
  .transform((value) => value?.trim() || null)
  .refine((value) => value === null || isWebAddress(value), {
    message: 'must be an address that begins with https:// or http://',
    abort: true,
  })
  .transform((value) => value && new URL(value).href)
  // Other characters than ASCII take several there.
  .refine((value) => value === null || value.length <= LINK_MAX, `must be at most ${LINK_MAX} characters`)
  .describe(`An http(s) address of at most ${LINK_MAX} characters.`)

/** An optional link to X or Telegram, which must have that site's host. */
export function linkTo(kind: LinkKind) {
  return link
    .refine(
      (value) => value === null || isLinkOfKind(kind, new URL(value)),
      `must be an address at ${formatHosts(kind)}`,
    )
    .describe(`An http(s) address at ${formatHosts(kind)} of at most ${LINK_MAX} characters.`)
}

/** Exactly one emoji that may be left out; empty means none. */
export const optionalEmoji = z
  .string()
  .max(64, 'must be exactly one emoji')
  .optional()
  .transform((value) => value?.trim() || null)
  .refine((value) => value === null || /^\p{RGI_Emoji}$/v.test(value), 'must be exactly one emoji')
  .describe('Exactly one emoji.')

export function hasHiddenCharacters(value: string): boolean {
  return HIDDEN.test(value)
}

function isWebAddress(value: string): boolean {
  if (/\s/.test(value) || hasHiddenCharacters(value)) return false
  const url = URL.canParse(value) ? new URL(value) : null
  return (
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === ''
  )
}
