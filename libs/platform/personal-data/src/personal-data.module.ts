import { Global, Module } from '@nestjs/common';
import { PersonalDataSources } from './personal-data-sources.js';

/** The port of personal data, for all libraries that store data about users. */
@Global()
@Module({ providers: [PersonalDataSources], exports: [PersonalDataSources] })
export class PersonalDataModule {}
