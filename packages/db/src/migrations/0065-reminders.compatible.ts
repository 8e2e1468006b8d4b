/** Adds the hour of the day at which a player wants to be reminded, and the last day of a reminder. */
export const statements = [
  `alter table notice_settings
    add column reminder_hour smallint check (reminder_hour between 0 and 23),
    add column reminded_on date`,
  'create index notice_settings_reminder on notice_settings (reminder_hour) where reminder_hour is not null',
]
