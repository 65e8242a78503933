import { S3Client } from '@aws-sdk/client-s3';
import { environment } from '../../../platform/env.ts';

/** Lance accepts each option with and without `aws_`, in any case, and in the environment. */
function optionOf(
  options: Readonly<Record<string, string>>,
  ...names: string[]
): string | undefined {
  const lowerCase = Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return names
    .flatMap((name) => [lowerCase[name], lowerCase[`aws_${name}`]])
    .concat(names.map((name) => environment[`AWS_${name.toUpperCase()}`] || undefined))
    .find((value) => value !== undefined);
}

const defaultRegion = 'us-east-1';

/** The bucket of a location, and a client with the options that Lance has for it. */
export function bucketOf(location: string, options: Readonly<Record<string, string>>) {
  const { hostname: bucket, pathname } = new URL(location);
  const path = pathname.replaceAll(/^\/+|\/+$/g, '');
  const endpoint = optionOf(options, 'endpoint', 'endpoint_url');
  const accessKeyId = optionOf(options, 'access_key_id');
  const secretAccessKey = optionOf(options, 'secret_access_key');
  const sessionToken = optionOf(options, 'session_token', 'token');
  const region = optionOf(options, 'region', 'default_region') ?? defaultRegion;
  const client = new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    forcePathStyle:
      endpoint !== undefined && optionOf(options, 'virtual_hosted_style_request') !== 'true',
    ...(accessKeyId !== undefined && secretAccessKey !== undefined
      ? {
          credentials: {
            accessKeyId,
            secretAccessKey,
            ...(sessionToken === undefined ? {} : { sessionToken }),
          },
        }
      : {}),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { client, bucket, prefix: path === '' ? '' : `${path}/` };
}
