import static java.time.format.DateTimeFormatter.ISO_OFFSET_DATE_TIME;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.ApiResponse;
import org.openapitools.client.api.UsersApi;
import org.openapitools.client.api.UsersApi.*;
import org.openapitools.client.model.*;

/** Uses a generated client, and ends with an error at the first response that is not as the API promises. */
public class Use {
  private static final long BEYOND_32_BITS = 5_000_000_000L;

  private interface Call {
    Object send() throws ApiException;
  }

  private static void expect(String what, Object seen, Object right) {
    if (!Objects.equals(seen, right)) throw new AssertionError(what + ": " + seen + " instead of " + right);
  }

  /** The client has an exception for each status from 300 on. */
  private static void expectStatus(String what, int status, Call call) {
    try {
      throw new AssertionError(what + ": " + call.send());
    } catch (ApiException exception) {
      expect(what, exception.getCode(), status);
    }
  }

  private static ApiResponse<User> create(UsersApi api, UserInput input) throws ApiException {
    var created = api.createUserWithHttpInfo(APICreateUserRequest.newBuilder().userInput(input).build());
    expect("create", created.getStatusCode(), 201);
    return created;
  }

  /** A walk responds with an array, for which the client has no type: it becomes the content of a page. */
  private static class PageOrUsers extends JsonDeserializer<UserPage> {
    private final ObjectMapper mapper;

    PageOrUsers(ObjectMapper mapper) {
      this.mapper = mapper;
    }

    @Override
    public UserPage deserialize(JsonParser parser, DeserializationContext context) throws IOException {
      var tree = mapper.readTree(parser);
      if (!tree.isArray()) return mapper.treeToValue(tree, UserPage.class);
      return new UserPage().content(mapper.convertValue(tree, new TypeReference<List<User>>() {}));
    }
  }

  private static final Pattern NEXT = Pattern.compile("[?&]after=([^&>]*)[^>]*>; rel=\"next\"");

  /** The names of a walk: the link of each response has the next place. */
  private static List<String> walk(UsersApi api, APIListUsersRequest.Builder asked) throws ApiException {
    var names = new ArrayList<String>();
    for (var after = ""; after != null; ) {
      var response = api.listUsersWithHttpInfo(asked.after(after).build());
      response.getData().getContent().forEach(user -> names.add(user.getName()));
      var link = NEXT.matcher(String.join(",", response.getHeaders().getOrDefault("link", List.of())));
      after = link.find() ? URLDecoder.decode(link.group(1), StandardCharsets.UTF_8) : null;
    }
    return names;
  }

  public static void main(String[] options) throws ApiException {
    var client = new ApiClient();
    client.updateBaseUri(options[0]);
    var module = new SimpleModule().addDeserializer(UserPage.class, new PageOrUsers(client.getObjectMapper()));
    client.setObjectMapper(client.getObjectMapper().registerModule(module));
    var api = new UsersApi(client);
    var group = "java" + System.nanoTime();

    var zoe = new UserInput().name("Zoë").lastName("Lee").age(BEYOND_32_BITS).status(group);
    zoe.putAttributesItem("team", "red").putAttributesItem("level", 3.5).putAttributesItem("skills", List.of("java"));
    var created = create(api, zoe);
    create(api, new UserInput().name("Ann").lastName("Lee").age(30L).status(group));
    create(api, new UserInput().name("Bea").lastName("May").age(31L).status(group));
    var old = created.getData();
    var tag = created.getHeaders().get("etag").get(0);

    var read = api.getUser(APIGetUserRequest.newBuilder().id(old.getId()).build());
    expect("read", read, old);
    expect("age", read.getAge(), BEYOND_32_BITS);
    expect("attributes", read.getAttributes(), Map.of("team", "red", "level", 3.5, "skills", List.of("java")));
    var again = APIGetUserRequest.newBuilder().id(old.getId()).ifNoneMatch(tag).build();
    expectStatus("read again", 304, () -> api.getUser(again));

    var sorted = APIListUsersRequest.newBuilder().status(List.of(group)).sort(List.of("lastName,desc", "age")).size(2L);
    var page = api.listUsers(sorted.build());
    expect("list", page.getContent().stream().map(User::getName).toList(), List.of("Bea", "Ann"));
    expect("totals", List.of(page.getTotalElements(), page.getTotalPages()), List.of(3L, 2L));
    var since = old.getCreatedAt().withOffsetSameInstant(ZoneOffset.ofHours(2)).format(ISO_OFFSET_DATE_TIME);
    var filtered = APIListUsersRequest.newBuilder().status(List.of(group)).ageGte(BEYOND_32_BITS).createdAtGte(since);
    expect("filters", api.listUsers(filtered.build()).getContent(), List.of(old));
    var walked = APIListUsersRequest.newBuilder().status(List.of(group)).sort(List.of("name,desc")).size(2L);
    expect("walk", walk(api, walked), List.of("Zoë", "Bea", "Ann"));
    // The generator makes one parameter of an object. By its style and explode each member is one.
    var own = new ApiClient();
    own.updateBaseUri(options[0]);
    own.setRequestInterceptor(each -> each.uri(URI.create(each.build().uri() + "&attributes.team=red")));
    var red = APIListUsersRequest.newBuilder().status(List.of(group)).build();
    expect("attributes", new UsersApi(own).listUsers(red).getContent(), List.of(old));
    var after = APIListUsersByCursorRequest.newBuilder().status(List.of(group)).cursor(old.getId()).build();
    var batch = api.listUsersByCursor(after);
    expect("batch", batch.size(), 2);

    var removal = new UserMergePatch().lastName(null);
    removal.putAttributesItem("level", true).putAttributesItem("team", null);
    var patch = APIPatchUserRequest.newBuilder().id(old.getId()).userMergePatch(removal).ifMatch(tag).build();
    var patched = api.patchUser(patch);
    expect("patch", patched.getLastName(), null);
    expect("what is not in the patch", patched.getAge(), BEYOND_32_BITS);
    expect("patched attributes", patched.getAttributes(), Map.of("level", true, "skills", List.of("java")));
    expectStatus("patch with an old tag", 412, () -> api.patchUser(patch));

    var operations = new Batch();
    var older = new UserMergePatch().age(32L);
    operations.addOperationsItem(new BatchOperation().op(BatchOperation.OpEnum.PATCH).id(old.getId()).patch(older));
    for (var user : batch)
      operations.addOperationsItem(new BatchOperation().op(BatchOperation.OpEnum.DELETE).id(user.getId()));
    var results = api.batchUsers(APIBatchUsersRequest.newBuilder().batch(operations).build()).getResults();
    expect("statuses", results.stream().map(BatchResult::getStatus).toList(), List.of(200, 204, 204));
    expect("age after a batch", results.get(0).getUser().getAge(), 32L);

    api.deleteUser(APIDeleteUserRequest.newBuilder().id(old.getId()).build());
    expectStatus("read what is gone", 404, () -> api.getUser(APIGetUserRequest.newBuilder().id(old.getId()).build()));
  }
}
