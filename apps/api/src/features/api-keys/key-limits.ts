import type { Clock } from '@papermoon/engine'
import { z } from 'zod'
import { DAY_MS } from '../../lib/durations.ts'
import { formatNetwork, parseNetwork } from '../../security/networks/networks.ts'
import { solAmount } from '../../validation/amounts.ts'
import { createBadInput, toFieldError } from '../../validation/messages.ts'

/** Networks per key. */
const NETWORKS_MAX = 20
/** Length of the longest IPv6 network. */
const NETWORK_CHARACTERS_MAX = 49
/** Longest time until a key expires. */
export const EXPIRY_DAYS_MAX = 366

/** Networks in one notation, without duplicates. */
export const networks = z
  .array(
    z
      .string()
      .max(NETWORK_CHARACTERS_MAX, 'must be addresses or networks such as 203.0.113.0/24')
      .transform((text) => parseNetwork(text.trim()))
      .refine((network) => network !== null, 'must be addresses or networks such as 203.0.113.0/24')
      .transform((network) => (network === null ? '' : formatNetwork(network))),
  )
  .max(NETWORKS_MAX, `must be at most ${NETWORKS_MAX}`)
  .default([])
  .transform((texts) => [...new Set(texts)])
  .describe(
    `Where the key works from: at most ${NETWORKS_MAX} addresses or CIDR networks, IPv4 or IPv6; empty for everywhere.`,
  )

export const expiresAt = z.iso
  .datetime({ offset: true })
  .nullish()
  .transform((text) => (text == null ? null : new Date(text)))
  .describe(`When the key ends by itself: within ${EXPIRY_DAYS_MAX} days. Null or left out: never.`)

export const spendingLimit = solAmount
  .nullish()
  .transform((sol) => sol ?? null)
  .describe(
    'SOL that the key may spend in a UTC day: buys, and launches with their fee and first buy. Null or left out: no limit.',
  )

/** Throws `BadInputError` for a time that is past or too far ahead. */
export function assertExpiry(expires: Date | null, clock: Clock): void {
  if (expires === null) return
  const inMs = expires.getTime() - clock.now().getTime()
  if (inMs > 0 && inMs <= EXPIRY_DAYS_MAX * DAY_MS) return
  throw createBadInput([toFieldError(['expiresAt'], `must be in the future, and at most ${EXPIRY_DAYS_MAX} days away`)])
}
