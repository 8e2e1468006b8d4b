/**
 * A device stays stored when its push service no longer accepts messages for it, so that its browser cannot add it
 * again.
 */
export const statements = ['alter table push_devices add column gone_at timestamptz(3)']
