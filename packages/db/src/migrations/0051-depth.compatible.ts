/** Whether everyone can see the order-book depth of a fair's tokens. The fair's host decides. */
export const statements = ['alter table fairs add column depth boolean not null default true']
