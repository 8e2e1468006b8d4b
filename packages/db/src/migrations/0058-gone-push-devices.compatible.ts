/** Keeps the row of a device whose push service no longer accepts messages, so that its browser cannot add it again. */
export const statements = ['alter table push_devices add column gone_at timestamptz(3)']
