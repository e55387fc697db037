import { choice, object, oneOf, text, type Schema } from './field.js';
import { HEADER, PARAMETER } from './places.js';
import { secretReference } from './secret-schema.js';

const kind = (name: string): Schema => ({ const: name });

export const authSchema: Schema = {
  ...choice(
    'kind',
    {
      none: object({ kind: kind('none') }, 'No credential.'),
      bearer: object(
        { kind: kind('bearer'), token: secretReference('The token, without the word Bearer.', { env: 'DESK_TOKEN' }) },
        'Authorization: Bearer.',
      ),
      basic: object(
        {
          kind: kind('basic'),
          user: secretReference('The user.', { env: 'DESK_USER' }),
          password: secretReference('The password.', { env: 'DESK_PASSWORD' }),
        },
        'Authorization: Basic.',
      ),
      'api-key': object(
        {
          kind: kind('api-key'),
          in: oneOf(['header', 'query'], 'Where it is sent.', { default: 'header' }),
          name: text('Name of the header (lower case) or query parameter.', 'x-api-key', { pattern: `${HEADER}|${PARAMETER}` }),
          value: secretReference('The key.', { env: 'DESK_KEY' }),
          prefix: text('Text before the key.', 'Token ', { minLength: 0, maxLength: 64, default: '' }),
        },
        'A key in a header or query parameter.',
      ),
      'oauth2-client-credentials': object(
        {
          kind: kind('oauth2-client-credentials'),
          tokenUrl: secretReference('The token endpoint; its host must be allowed too.', { env: 'DESK_TOKEN_URL' }),
          clientId: secretReference('The client.', { env: 'DESK_CLIENT_ID' }),
          clientSecret: secretReference('Its secret.', { env: 'DESK_CLIENT_SECRET' }),
          scope: text('Scopes that are asked for.', 'tickets.read'),
          audience: text('The audience, where the endpoint wants one.', 'https://api.example.org'),
          clientAuth: oneOf(['basic', 'body'], 'How the client names itself at the token endpoint (RFC 6749, 2.3.1).', {
            default: 'basic',
          }),
        },
        'OAuth 2.0 client credentials; the token is asked for again when it expires.',
        ['scope', 'audience'],
      ),
    },
    'How a credential is sent. Every part by reference.',
    { kind: 'bearer', token: { env: 'DESK_TOKEN' } },
  ),
  default: { kind: 'none' },
};
