import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** DynamoDB Local as its own program starts it, but for this machine alone: it has no option for that. */
public class OnLoopback {
  public static void main(String[] options) throws Exception {
    var local = ServerRunner.createServerFromCommandLineArgs(options);
    var server = local.getClass().getDeclaredField("server");
    server.setAccessible(true);
    for (var connector : ((Server) server.get(local)).getConnectors()) {
      ((ServerConnector) connector).setHost("127.0.0.1");
    }
    local.start();
    local.join();
  }
}
