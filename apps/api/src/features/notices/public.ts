export type { ConsumerStep } from './follow/follow.ts'
export { lockPosition, saveTopThree } from './follow/follow.ts'
export { mayBeNotified, notifyPlayers, type PersonalCause } from './notify-players.ts'
export { findNotices, type Notice } from './read-notices.ts'
