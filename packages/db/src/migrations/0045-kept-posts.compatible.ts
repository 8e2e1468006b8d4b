/** Whether a player who leaves lets their posts stay, as those of a deleted player. */
export const statements = ['alter table users add column keeps_posts boolean not null default false']
