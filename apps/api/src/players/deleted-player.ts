/** The name under which everybody sees what a deleted account did. No player may have it. */
export const DELETED_NAME = 'deleted player'
