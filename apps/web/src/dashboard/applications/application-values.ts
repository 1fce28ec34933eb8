import type { Schema } from '../../api/client';
import type { Application, ApplicationType } from './application-queries';

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code' as const satisfies Application['grantTypes'][number];
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange' as const satisfies Application['grantTypes'][number];
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer' as const satisfies Application['grantTypes'][number];
const CODE = 'authorization_code';

/** The values of the form of an application. */
export interface ApplicationValues {
  readonly name: string;
  readonly enabled: boolean;
  readonly redirectUris: string[];
  readonly postLogoutRedirectUris: string[];
  readonly backchannelLogoutUri: string;
  readonly backchannelLogoutSessionRequired: boolean;
  /** Whether users can sign in on devices without a browser. */
  readonly deviceSignIn: boolean;
  readonly origins: string[];
  readonly resources: Schema<'ClientResourceResponse'>[];
  readonly exchangesTokens: boolean;
  readonly audiences: string[];
  readonly acceptsAssertions: boolean;
  readonly authentication: Application['authentication'];
  readonly jwksUri: string;
  readonly idTokenAlgorithm: Application['idTokenAlgorithm'];
  readonly requirePushedAuthorizationRequests: boolean;
  readonly dpopBoundAccessTokens: boolean;
  readonly logoUri: string;
  readonly homePageUri: string;
  readonly termsUri: string;
  readonly privacyUri: string;
  readonly visibility: Application['visibility'];
  readonly consent: Application['consent'];
  readonly allowedNetworks: string[];
}

export type ApplicationForm = {
  readonly values: ApplicationValues;
  readonly getInputProps: (field: keyof ApplicationValues, options?: { type: 'checkbox' }) => object;
  readonly setFieldValue: (field: 'resources', value: ApplicationValues['resources']) => void;
};

/** The fields that show their own errors. */
export const FIELDS_WITH_ERRORS = [
  'name',
  'redirectUris',
  'postLogoutRedirectUris',
  'backchannelLogoutUri',
  'origins',
  'jwksUri',
  'logoUri',
  'homePageUri',
  'termsUri',
  'privacyUri',
  'audiences',
  'consent',
  'allowedNetworks',
] as const;

export function valuesOf(application: Application): ApplicationValues {
  return {
    name: application.name,
    enabled: application.enabled,
    redirectUris: application.redirectUris,
    postLogoutRedirectUris: application.postLogoutRedirectUris,
    backchannelLogoutUri: application.backchannelLogoutUri ?? '',
    backchannelLogoutSessionRequired: application.backchannelLogoutSessionRequired,
    deviceSignIn: application.grantTypes.includes(DEVICE_CODE),
    origins: application.origins,
    resources: application.resources,
    exchangesTokens: application.grantTypes.includes(TOKEN_EXCHANGE),
    audiences: application.audiences,
    acceptsAssertions: application.grantTypes.includes(JWT_BEARER),
    authentication: application.authentication,
    idTokenAlgorithm: application.idTokenAlgorithm,
    requirePushedAuthorizationRequests: application.requirePushedAuthorizationRequests,
    dpopBoundAccessTokens: application.dpopBoundAccessTokens,
    visibility: application.visibility,
    consent: application.consent,
    jwksUri: application.jwksUri ?? '',
    logoUri: application.logoUri ?? '',
    homePageUri: application.homePageUri ?? '',
    termsUri: application.termsUri ?? '',
    privacyUri: application.privacyUri ?? '',
    allowedNetworks: application.allowedNetworks ?? [],
  };
}

/** Returns the request that saves the values. */
export function updateOf(values: ApplicationValues, application: Application): Schema<'UpdateOauthClientRequest'> {
  const {
    backchannelLogoutUri,
    backchannelLogoutSessionRequired,
    jwksUri,
    logoUri,
    homePageUri,
    termsUri,
    privacyUri,
    allowedNetworks,
    resources,
    deviceSignIn: _,
    exchangesTokens,
    acceptsAssertions,
    ...rest
  } = values;
  const grantTypes = grantTypesOf(application.grantTypes, values).filter(
    (each) => each !== TOKEN_EXCHANGE && each !== JWT_BEARER,
  );
  const usesKeyAddress = values.authentication === 'private_key_jwt' && application.jwks === null;
  return {
    ...rest,
    ...(values.authentication === 'private_key_jwt' ? {} : { jwks: null }),
    name: rest.name.trim(),
    backchannelLogoutUri: backchannelLogoutUri.trim() || null,
    backchannelLogoutSessionRequired: backchannelLogoutUri.trim() !== '' && backchannelLogoutSessionRequired,
    grantTypes: [...grantTypes, ...(exchangesTokens ? [TOKEN_EXCHANGE] : []), ...(acceptsAssertions ? [JWT_BEARER] : [])],
    resources: resources.filter(({ scopes }) => scopes.length > 0),
    jwksUri: usesKeyAddress ? jwksUri.trim() || null : null,
    logoUri: logoUri.trim() || null,
    homePageUri: homePageUri.trim() || null,
    termsUri: termsUri.trim() || null,
    privacyUri: privacyUri.trim() || null,
    allowedNetworks: allowedNetworks.length > 0 ? allowedNetworks : null,
  };
}

/** The values with which applications are created. All others have defaults of the service. */
export type NewApplicationValues = Pick<
  ApplicationValues,
  'name' | 'redirectUris' | 'postLogoutRedirectUris' | 'deviceSignIn' | 'resources'
> & {
  readonly type: ApplicationType;
};

/** Returns the request that creates an application. The pages of a single-page application call the token endpoint from their origins. */
export function creationOf(values: NewApplicationValues) {
  const { name, type, redirectUris, postLogoutRedirectUris, resources, deviceSignIn } = values;
  const origins = redirectUris.filter((uri) => URL.canParse(uri)).map((uri) => new URL(uri).origin);
  return {
    name: name.trim(),
    type,
    resources: resources.filter(({ scopes }) => scopes.length > 0),
    ...(type === 'machine' ? {} : { redirectUris, postLogoutRedirectUris }),
    ...(deviceSignIn && hasDevices(type) ? { grantTypes: grantTypesOf(['refresh_token'], values) } : {}),
    ...(type === 'single_page' ? { origins: [...new Set(origins)] } : {}),
  };
}

const hasDevices = (type: ApplicationType): boolean => type === 'web' || type === 'native';

/** Returns the grant types with or without devices. Without redirect URIs, users can sign in only on devices. */
function grantTypesOf(
  current: Application['grantTypes'],
  { deviceSignIn, redirectUris }: Pick<ApplicationValues, 'deviceSignIn' | 'redirectUris'>,
): Application['grantTypes'] {
  const signsIn = current.some((each) => each === CODE || each === DEVICE_CODE || each === 'refresh_token');
  if (!signsIn) return current;
  const others = current.filter((each) => each !== CODE && each !== DEVICE_CODE);
  const usesCode = redirectUris.length > 0 || !deviceSignIn;
  return [...(usesCode ? ([CODE] as const) : []), ...others, ...(deviceSignIn ? ([DEVICE_CODE] as const) : [])];
}
