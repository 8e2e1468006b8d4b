export * from '@papermoon/format'
