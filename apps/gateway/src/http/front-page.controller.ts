import { Controller, Get, Redirect } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';

/** Whoever opens the address in a browser finds the description of the API. */
@ApiExcludeController()
@Controller()
export class FrontPageController {
  @Get()
  @Redirect('/docs')
  docs(): void {}
}
