/** class-transformer ships this module without types; class-validator-jsonschema needs it to see nested classes. */
declare module 'class-transformer/cjs/storage.js' {
  import type { IOptions } from 'class-validator-jsonschema';
  export const defaultMetadataStorage: IOptions['classTransformerMetadataStorage'];
}
