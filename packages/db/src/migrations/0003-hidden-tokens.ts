/** Operators may hide a token: it disappears from lists and search. Its journal stays. */
export const statements = ['alter table tokens add column hidden_at timestamptz(3)']
