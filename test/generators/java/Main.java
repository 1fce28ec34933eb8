import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.EventsApi;
import org.openapitools.client.api.OrganizationsApi;
import org.openapitools.client.api.UsersApi;
import org.openapitools.client.model.CreateOrganizationRequest;
import org.openapitools.client.model.CreateUserRequest;
import org.openapitools.client.model.EventResponse;
import org.openapitools.client.model.ProblemResponse;

public class Main {
  interface Call {
    void run() throws ApiException;
  }

  public static void main(String[] arguments) throws Exception {
    String slug = System.getenv("SLUG");
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE_URL"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("API_KEY")));
    OrganizationsApi organizations = new OrganizationsApi(client);

    int before = all(organizations).size();
    CreateOrganizationRequest wanted = new CreateOrganizationRequest().name("From Java").slug(slug);
    String id = organizations.createOrganization(wanted, null).getData().getId();
    CreateUserRequest person = new CreateUserRequest().email("ada@" + slug + ".example");
    String email = new UsersApi(client).createUser(id, person, null).getData().getEmail();
    String notFound = problem(client, () -> organizations.getOrganization("no-such-organization", null));
    String conflict = problem(client, () -> organizations.createOrganization(wanted, null));
    List<String> events = List.of();
    // An event appears in the log a moment after the change.
    while (!events.contains("user.created")) {
      Thread.sleep(50);
      events =
          new EventsApi(client)
              .listEvents(id, null, null, null, null, null, null, null, null, null, null, "position", null, null).getData().stream()
                  .map(EventResponse::getType)
                  .map(String::valueOf)
                  .toList();
    }
    int added = all(organizations).size() - before;
    System.out.println(
        new ObjectMapper()
            .writeValueAsString(
                Map.of("email", email, "added", added, "notFound", notFound, "conflict", conflict, "events", events)));
  }

  /** Returns all organizations, page by page. */
  static List<String> all(OrganizationsApi organizations) throws ApiException {
    List<String> ids = new ArrayList<>();
    while (true) {
      String after = ids.isEmpty() ? null : ids.get(ids.size() - 1);
      var page = organizations.listOrganizations(2, after, null, null, null, null, null, null);
      page.getData().forEach(organization -> ids.add(organization.getId()));
      if (!page.getPagination().getHasMore()) return ids;
    }
  }

  static String problem(ApiClient client, Call call) throws Exception {
    try {
      call.run();
    } catch (ApiException failure) {
      ProblemResponse problem = client.getObjectMapper().readValue(failure.getResponseBody(), ProblemResponse.class);
      return problem.getStatus() + " " + problem.getCode();
    }
    throw new IllegalStateException("The call succeeded.");
  }
}
