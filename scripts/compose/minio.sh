#!/bin/sh
# Runs at every start: a bucket, and a user who reaches that bucket alone.
set -eu
mc alias set local http://minio:9000 "$MINIO_ROOT_USER" "$MINIO_ROOT_PASSWORD" > /dev/null
mc mb --ignore-existing "local/$S3_BUCKET"
cat > /tmp/policy.json <<JSON
{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Effect": "Allow",
      "Action": ["s3:GetBucketLocation", "s3:ListBucket"],
      "Resource": ["arn:aws:s3:::$S3_BUCKET"]
    },
    {
      "Effect": "Allow",
      "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
      "Resource": ["arn:aws:s3:::$S3_BUCKET/*"]
    }
  ]
}
JSON
mc admin policy create local papermoon /tmp/policy.json
mc admin user add local "$S3_ACCESS_KEY" "$S3_SECRET_KEY"
# It complains where the user has the policy already, so the outcome is looked at instead.
mc admin policy attach local papermoon --user "$S3_ACCESS_KEY" || true
mc admin user info local "$S3_ACCESS_KEY" --json | grep -q '"policyName": *"papermoon"'
