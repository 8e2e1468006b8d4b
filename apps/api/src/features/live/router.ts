import { contract } from '@papermoon/contract'
import { isTime } from '@papermoon/contract/cursors'
import type { EventKind } from '@papermoon/contract/live'
import type { InputOf } from '@papermoon/contract/procedure'
import type { App } from '../../context.ts'
import { BadInputError } from '../../errors.ts'
import { readPositionAt } from '../../events/journal-reader.ts'
import { DEFAULT_FILTER, type EventFilter } from '../../events/stream/channels.ts'
import { type EventCursor, OTHER_MARKET } from '../../events/stream/event-text.ts'
import { subscribeTo } from '../../events/stream/live-subscription.ts'
import { implement, router } from '../../trpc.ts'
import { watchMember } from '../fairs/public.ts'
import { findViewer, openTopic } from '../talk/public.ts'
import { followEvents, followToken } from './follow-events.ts'
import { type Listener, replay } from './replay.ts'

/** Max difference between nodes' clocks in ms. */
const WINDOW_MS = 5_000

export const liveRouter = router({
  /** Subscribes to the events of one token, from the last `seq` that the client received. */
  token: implement(contract.live.token, async function* ({ ctx: { app }, input, signal }) {
    const lastSeq = input.lastEventId == null ? null : Number(input.lastEventId)
    const { tokenId } = input
    yield* subscribeTo('seq', (outlet) => followToken({ app, outlet }, { tokenId, lastSeq }), signal)
  }),
  /**
   * Subscribes to the events of all tokens, or of the tokens in some fairs. Resumes after the last `id` that the client
   * received. A subscriber may get an event twice, and can recognize it by (tokenId, type, seq).
   */
  market: implement(contract.live.market, async function* ({ ctx: { app }, input, signal }) {
    const resumeAt = input.lastEventId == null ? null : parseMarketId(app, input.lastEventId)
    yield* subscribeTo('cursor', (outlet) => followMarket({ app, outlet }, resumeAt, input), signal)
  }),
})

/**
 * Subscribes to the posts in one topic, after everything else was read. In a room, the subscription ends when the
 * player leaves the room.
 */
export const watchTalk = implement(contract.talk.watch, async ({ ctx, input, signal }) => {
  const topic = await openTopic(ctx.app, ctx.userId, input)
  const resumeAt = input.lastEventId == null ? null : parseMarketId(topic.app, input.lastEventId)
  const viewer = await findViewer(ctx.app.platform.db, ctx.userId)
  const filter = { tokens: [topic.id], fairs: null, kinds: new Set<EventKind>(['post']), viewer }
  return watch()

  async function* watch() {
    const left = new AbortController()
    const stopLooking = watchMember(topic, (error) => left.abort(error))
    const until = AbortSignal.any(signal === undefined ? [left.signal] : [signal, left.signal])
    try {
      yield* subscribeTo('cursor', (outlet) => followSince({ app: topic.app, outlet }, resumeAt, filter), until)
    } finally {
      stopLooking()
    }
  }
})

/** Subscribes to a player's own orders as they change. */
export const watchOrders = implement(contract.waitingOrders.watch, async function* ({ ctx, input, signal }) {
  const { app, userId: player } = ctx
  const resumeAt = input.lastEventId == null ? null : parseMarketId(app, input.lastEventId)
  const tokens = input.tokenId === undefined ? null : [input.tokenId]
  const filter = { tokens, fairs: null, kinds: new Set<EventKind>(['order']), player }
  yield* subscribeTo('cursor', (outlet) => followSince({ app, outlet }, resumeAt, filter), signal)
})

/** The point at which a subscriber resumes: the id of an event, or shortly before a time. */
export type ResumeAt = EventCursor | Date

/** Parses the id of an event. Throws `BadInputError`. */
function parseMarketId(app: App, id: string): ResumeAt {
  if (isTime(id)) return new Date(id)
  const { cursors } = app.live.stream
  const cursor = cursors.parse(id)
  if (cursor !== null) return cursor
  throw new BadInputError(
    cursors.isOfOther(id) ? `lastEventId ${OTHER_MARKET}.` : 'lastEventId is not the id of an event.',
  )
}

export async function followMarket(
  listener: Listener,
  resumeAt: ResumeAt | null,
  { types, fairs }: Pick<InputOf<typeof contract.live.market>, 'types' | 'fairs'> = {},
): Promise<void> {
  const kinds = types === undefined ? DEFAULT_FILTER.kinds : new Set(types)
  await followSince(listener, resumeAt, { tokens: null, fairs: fairs ?? null, kinds })
}

async function followSince(listener: Listener, resumeAt: ResumeAt | null, filter: EventFilter): Promise<void> {
  const cursor = resumeAt instanceof Date ? await findCursor(listener, resumeAt) : resumeAt
  await followEvents(listener, { filter, cursor })
}

async function findCursor(listener: Listener, time: Date): Promise<EventCursor> {
  const start = new Date(time.getTime() - WINDOW_MS)
  return { position: await replay(listener, () => readPositionAt(listener.app.platform.db, start)), isOwn: true }
}
