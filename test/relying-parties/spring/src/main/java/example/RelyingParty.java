package example;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.SpringSecurityCoreVersion;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestCustomizers;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A web application that signs its users in with Spring Security. */
@SpringBootApplication
@RestController
public class RelyingParty {
  public static void main(String[] arguments) {
    System.out.println("Spring Boot " + SpringBootVersion.getVersion() + ", Spring Security " + SpringSecurityCoreVersion.getVersion());
    SpringApplication.run(RelyingParty.class, arguments);
  }

  @GetMapping("/")
  Map<String, Object> home(@AuthenticationPrincipal OidcUser user) {
    return user.getClaims();
  }

  @GetMapping("/signed-out")
  String signedOut() {
    return "Signed out";
  }

  @Bean
  @Order(0)
  SecurityFilterChain withoutSession(HttpSecurity http) throws Exception {
    return http.securityMatcher("/signed-out").authorizeHttpRequests(paths -> paths.anyRequest().permitAll()).build();
  }

  static Customizer<org.springframework.security.config.annotation.web.configurers.LogoutConfigurer<HttpSecurity>> atIssuer(
      ClientRegistrationRepository clients) {
    var handler = new OidcClientInitiatedLogoutSuccessHandler(clients);
    handler.setPostLogoutRedirectUri("{baseUrl}/signed-out");
    return logout -> logout.logoutSuccessHandler(handler);
  }

  // The sample of the dashboard follows here.
}
