import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

/** The OpenAPI 3.1 description of the API. */
export function describeApi(app: INestApplication): OpenAPIObject {
  const settings = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Lacuna')
    .setDescription(
      'Whether "nothing found" supports the next step. Every answer says first how complete it is; errors are RFC 9457 problems.',
    )
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'lk_', description: 'An API key: lk_ and 43 characters.' })
    .build();
  return SwaggerModule.createDocument(app, settings, {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '').toLowerCase()}_${method}`,
  });
}

/** The description as JSON at /docs-json and as a page at /docs, which loads nothing from elsewhere. */
export function serveDocs(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => describeApi(app), {
    jsonDocumentUrl: 'docs-json',
    raw: ['json'],
    customSiteTitle: 'Lacuna API',
    swaggerOptions: { validatorUrl: null },
  });
}
