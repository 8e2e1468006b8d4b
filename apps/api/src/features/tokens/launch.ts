import type { App } from '../../context.ts'
import type { UserId } from '../../ids.ts'
import type { LaunchInput, LaunchResult } from './schemas.ts'

/** Launches a token and, if asked, makes its creator's first buy in the same transaction. */
export async function launch(_app: App, _userId: UserId, _input: LaunchInput): Promise<LaunchResult> {
  throw new Error('not built yet')
}
