import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Starts DynamoDB Local as its own program does, but only on loopback, for which it has no option. */
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
