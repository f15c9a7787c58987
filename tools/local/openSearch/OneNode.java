import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.painless.PainlessPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.transport.Netty4Plugin;

/** Starts one node on loopback: with the folder of its data and its two ports. It ends when standard input is closed, as it is when its parent has ended. */
public class OneNode {
  static class Own extends Node {
    Own(Environment environment, Collection<Class<? extends Plugin>> plugins) {
      super(environment, plugins, false);
    }
  }

  public static void main(String[] options) throws Exception {
    var home = Path.of(options[0]).toAbsolutePath();
    Files.createDirectories(home.resolve("config"));
    var settings = Settings.builder()
      .put("path.home", home.toString())
      .put("cluster.name", "local")
      .put("node.name", "one")
      .put("discovery.type", "single-node")
      .put("network.host", "127.0.0.1")
      .put("http.port", options[1])
      .put("transport.port", options[2])
      .put("transport.type", "netty4")
      .put("http.type", "netty4")
      .put("cluster.routing.allocation.disk.threshold_enabled", false)
      .build();
    var environment = InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> "one");
    var node = new Own(environment, List.of(Netty4Plugin.class, CommonAnalysisPlugin.class, PainlessPlugin.class));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      try {
        node.close();
      } catch (Exception ignored) {
        // It ends in any case.
      }
    }));
    node.start();
    while (System.in.read() >= 0);
    System.exit(0);
  }
}
