import { SetMetadata } from '@nestjs/common';

/** The parts of an organization that a person without an account can set up with a setup link. */
export const SETUP_STEPS = ['domain', 'sso', 'scim', 'webhook'] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];

// Stryker disable next-line StringLiteral: the name is arbitrary and used only through its constant
export const SETUP_STEP = 'access:setup-step';

/** Allows setup links with this step to call a route. Setup links can call no other route with an organization. */
export const AllowedInSetup = (step: SetupStep): MethodDecorator & ClassDecorator => SetMetadata(SETUP_STEP, step);
