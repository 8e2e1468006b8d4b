/** Adds whether a player's daily reminder is also sent as an email. */
export const statements = ['alter table notice_settings add column reminder_by_mail boolean not null default false']
