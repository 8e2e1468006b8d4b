/** Lets operators hide a token. A hidden token disappears from lists and search, but its journal stays. */
export const statements = ['alter table tokens add column hidden_at timestamptz(3)']
