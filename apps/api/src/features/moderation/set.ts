import {
  type AnnounceInput,
  type BoundInForce,
  type BoundName,
  type Decided,
  MODERATION_BOUNDS,
  type SetBoundInput,
} from '@papermoon/contract/admin'
import type { UserId } from '@papermoon/engine'
import type { App } from '../../context.ts'
import { BadInputError } from '../../errors.ts'
import { getInForce, refreshInForce } from './in-force.ts'
import { type Act, appendAct } from './log.ts'

/** Lists the limits that operators can change, with their values on this node. */
export function listBounds({ platform }: App): BoundInForce[] {
  const { bounds } = getInForce(platform)
  return (Object.keys(MODERATION_BOUNDS) as BoundName[]).map((bound) => {
    const { title, usual, min, max } = MODERATION_BOUNDS[bound]
    return { bound, title, value: bounds[bound], usual, min, max }
  })
}

/** Changes a limit on every node. The log stores the new value. */
export async function setBound(app: App, userId: UserId, { bound, value, reason }: SetBoundInput): Promise<Decided> {
  const { id, title } = MODERATION_BOUNDS[bound]
  return await set(app, userId, {
    act: 'set-bound',
    kind: 'bound',
    targetId: id,
    detail: { value },
    words: `${title}: ${value}`,
    reason,
  })
}

/**
 * Shows an announcement on every page, or removes the current announcement. Throws `BadInputError` for an announcement
 * that has already ended.
 */
export async function announce(app: App, userId: UserId, input: AnnounceInput): Promise<Decided> {
  const { text, endsAt } = input
  if (endsAt !== undefined && endsAt <= app.platform.clock.now())
    throw new BadInputError('endsAt must be in the future.')
  return await set(app, userId, {
    act: text === null ? 'end-announcement' : 'announce',
    kind: 'announcement',
    targetId: 0,
    detail: { endsAt: endsAt?.toISOString() ?? null },
    words: text ?? '',
    reason: '',
  })
}

type Setting = Pick<Act, 'act' | 'kind' | 'targetId' | 'detail' | 'words' | 'reason'>

async function set(app: App, userId: UserId, setting: Setting): Promise<Decided> {
  const { db, clock } = app.platform
  const act: Act = { ...setting, actor: { userId, as: 'operator' }, concernedId: null, now: clock.now() }
  const logId = await db.transaction().execute((tx) => appendAct(tx, act))
  await refreshInForce(app)
  return { logId }
}
