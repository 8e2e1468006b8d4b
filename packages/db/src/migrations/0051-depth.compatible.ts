/** Whether everyone sees what waits at which price of a fair's tokens: its host says so. */
export const statements = ['alter table fairs add column depth boolean not null default true']
