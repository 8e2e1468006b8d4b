export type { ConsumerStep } from './follow/follow.ts'
export { lockPosition, saveTopThree } from './follow/follow.ts'
export { findNotices, type Notice } from './read-notices.ts'
export { mayBeTold, type PersonalCause, tellPlayers } from './tell-players.ts'
