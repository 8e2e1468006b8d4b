import type { App } from '../../context.ts'
import type { UserId } from '../../ids.ts'
import type { CurrentUser } from './schemas.ts'

/** The signed-in player as they see themselves; null for a guest. */
export async function currentUserOf(_app: App, _userId: UserId | null): Promise<CurrentUser | null> {
  throw new Error('not built yet')
}
