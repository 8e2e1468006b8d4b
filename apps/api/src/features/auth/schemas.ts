import { z } from 'zod'
import { userId } from '../../ids.ts'

/** The signed-in player, as only they see themselves. */
export const currentUser = z.object({
  id: userId,
  userId: userId.describe('The same as id.'),
  username: z.string(),
  email: z.string().nullable(),
  wallet: z.string(),
  profilePictureUrl: z.string().nullable(),
  solBalance: z.string(),
  warning: z.string().nullable(),
  isAuthenticated: z.literal(true),
  createdAt: z.iso.datetime(),
})
export type CurrentUser = z.output<typeof currentUser>

export const loginInput = z.object({ email: z.string().max(254), password: z.string().max(200) })

export const registerInput = z.object({
  username: z.string(),
  email: z.string(),
  wallet: z.string(),
  password: z.string(),
})

export const done = z.object({ ok: z.literal(true) })
