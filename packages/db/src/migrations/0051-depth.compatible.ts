/** Adds a setting of the fair's host: whether everyone can see the order-book depth of the fair's tokens. */
export const statements = ['alter table fairs add column depth boolean not null default true']
