/** Whether the player's posts stay after the account is deleted, shown as by a deleted player. */
export const statements = ['alter table users add column keeps_posts boolean not null default false']
