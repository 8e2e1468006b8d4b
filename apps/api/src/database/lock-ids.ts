/**
 * Ids of PostgreSQL's advisory locks, which all processes on a database share. A released id must not change: processes of
 * two builds would not exclude each other.
 */
export const LOCK_IDS = {
  /** Closing a window of the giveaway. */
  windowClosing: 727_466_005,
  /** Replaying the journal for the audit. */
  auditReplay: 727_466_008,
  /** Publishing the heads of the chains. */
  publishing: 727_466_009,
  /** Taking a backup. */
  backupTaking: 727_466_012,
  /** Keeping the schedule of backups. */
  backupKeeping: 727_466_013,
  /** Keeping the demo world; held as long as its process runs. */
  demoKeeping: 727_466_014,
  /** Running the bots of the house in fairs; held as long as such fairs are open. */
  fairBots: 727_466_015,
  /** The chain of the moderation log. */
  moderationLog: 727_466_016,
  /** The quota of all uploads. */
  uploadQuota: 7_261_903,
} as const
