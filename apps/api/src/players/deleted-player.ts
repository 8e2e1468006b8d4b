/** Shown instead of the username of a deleted account; reserved, so that no player can register it. */
export const DELETED_NAME = 'deleted player'
