/** Adds the choice of players whether their posts stay after the account is deleted. */
export const statements = ['alter table users add column keeps_posts boolean not null default false']
