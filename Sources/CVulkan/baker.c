#include <stdlib.h>

#include "cvk_internal.h"

static cvk_status make_slot(cvk_baker *baker, cvk_slot *slot) {
  const cvk_functions *vk = &baker->vk;
  const cvk_setup *setup = &baker->setup;
  slot->into = calloc(setup->targets, sizeof *slot->into);
  if (!slot->into) return (cvk_status){ VK_ERROR_OUT_OF_HOST_MEMORY, "calloc" };
  const VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
  CVK_TRY(vk, CreateFence, baker->device, &fence, NULL, &slot->done);
  const VkBufferUsageFlags shader = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  const VkBufferUsageFlags from = VK_BUFFER_USAGE_TRANSFER_SRC_BIT, to = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  CVK_PASS(cvk_make_buffer(
      baker, setup->source_bytes, setup->is_staged ? from : shader, CVK_HOST_WRITES, &slot->source));
  if (setup->is_staged) {
    const VkSemaphoreCreateInfo semaphore = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO };
    CVK_TRY(vk, CreateSemaphore, baker->device, &semaphore, NULL, &slot->uploaded);
    CVK_TRY(vk, CreateSemaphore, baker->device, &semaphore, NULL, &slot->computed);
    CVK_PASS(cvk_make_buffer(baker, setup->source_bytes, shader | to, CVK_DEVICE_ONLY, &slot->device_source));
    CVK_PASS(cvk_make_buffer(baker, setup->target_bytes, shader | from, CVK_DEVICE_ONLY, &slot->device_target));
  }
  return cvk_record_slot(baker, slot);
}

static cvk_status make(cvk_baker *baker) {
  const cvk_setup *setup = &baker->setup;
  CVK_PASS(cvk_make_device(baker));
  CVK_PASS(cvk_make_pipeline(baker));
  CVK_PASS(cvk_make_table(baker, setup->table, setup->table_bytes, &baker->table));
  CVK_PASS(cvk_make_table(baker, setup->shaper, setup->shaper_bytes, &baker->shaper));
  const VkBufferUsageFlags usage =
      setup->is_staged ? VK_BUFFER_USAGE_TRANSFER_DST_BIT : VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  for (uint32_t i = 0; i < setup->targets; i++)
    CVK_PASS(cvk_make_buffer(baker, setup->target_bytes, usage, CVK_HOST_READS, &baker->targets[i]));
  for (uint32_t i = 0; i < setup->slots; i++) CVK_PASS(make_slot(baker, &baker->slots[i]));
  return cvk_success;
}

cvk_status cvk_baker_open(const cvk_loader *loader, const cvk_setup *setup, cvk_baker **opened) {
  cvk_baker *baker = calloc(1, sizeof *baker);
  if (!baker) return (cvk_status){ VK_ERROR_OUT_OF_HOST_MEMORY, "calloc" };
  baker->loader = loader;
  baker->setup = *setup;
  baker->physical = loader->devices[setup->device];
  loader->GetPhysicalDeviceMemoryProperties(baker->physical, &baker->memory);
  baker->slots = calloc(setup->slots, sizeof *baker->slots);
  baker->targets = calloc(setup->targets, sizeof *baker->targets);
  cvk_status status = { VK_ERROR_OUT_OF_HOST_MEMORY, "calloc" };
  if (baker->slots && baker->targets) status = make(baker);
  // The caller's memory: not looked at after this.
  baker->setup.constants = NULL;
  baker->setup.table = baker->setup.shaper = NULL;
  if (status.result != 0) {
    cvk_baker_close(baker);
    return status;
  }
  *opened = baker;
  return status;
}

static void unmake(cvk_baker *baker) {
  const cvk_functions *vk = &baker->vk;
  const VkDevice device = baker->device;
  vk->DeviceWaitIdle(device);
  for (uint32_t i = 0; baker->slots && i < baker->setup.slots; i++) {
    cvk_slot *slot = &baker->slots[i];
    cvk_free_buffer(baker, &slot->source);
    cvk_free_buffer(baker, &slot->device_source);
    cvk_free_buffer(baker, &slot->device_target);
    vk->DestroySemaphore(device, slot->uploaded, NULL);
    vk->DestroySemaphore(device, slot->computed, NULL);
    vk->DestroyFence(device, slot->done, NULL);
  }
  for (uint32_t i = 0; baker->targets && i < baker->setup.targets; i++) cvk_free_buffer(baker, &baker->targets[i]);
  cvk_free_buffer(baker, &baker->table);
  cvk_free_buffer(baker, &baker->shaper);
  vk->DestroyDescriptorPool(device, baker->descriptor_pool, NULL);
  vk->DestroyPipeline(device, baker->pipeline, NULL);
  vk->DestroyPipelineLayout(device, baker->pipeline_layout, NULL);
  vk->DestroyDescriptorSetLayout(device, baker->set_layout, NULL);
  vk->DestroyCommandPool(device, baker->compute_pool, NULL);
  vk->DestroyCommandPool(device, baker->transfer_pool, NULL);
}

void cvk_baker_close(cvk_baker *baker) {
  if (baker->is_hung) return;
  // The last function of the list: with it the lookup came to its end.
  if (baker->vk.WaitForFences) unmake(baker);
  if (baker->vk.DestroyDevice) baker->vk.DestroyDevice(baker->device, NULL);
  for (uint32_t i = 0; baker->slots && i < baker->setup.slots; i++) free(baker->slots[i].into);
  free(baker->slots);
  free(baker->targets);
  free(baker);
}

uint8_t *cvk_source(const cvk_baker *baker, uint32_t slot) { return baker->slots[slot].source.mapped; }
uint8_t *cvk_target(const cvk_baker *baker, uint32_t target) { return baker->targets[target].mapped; }

static cvk_status submit(
    cvk_baker *baker, VkQueue queue, const VkCommandBuffer *commands, const VkSemaphore *after,
    VkPipelineStageFlags stage, const VkSemaphore *before, VkFence done) {
  const VkSubmitInfo info = {
    .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .waitSemaphoreCount = after ? 1 : 0, .pWaitSemaphores = after,
    .pWaitDstStageMask = &stage, .commandBufferCount = 1, .pCommandBuffers = commands,
    .signalSemaphoreCount = before ? 1 : 0, .pSignalSemaphores = before
  };
  CVK_TRY(&baker->vk, QueueSubmit, queue, 1, &info, done);
  return cvk_success;
}

cvk_status cvk_submit(cvk_baker *baker, uint32_t index, uint32_t target) {
  const cvk_slot *slot = &baker->slots[index];
  CVK_TRY(&baker->vk, ResetFences, baker->device, 1, &slot->done);
  const VkSemaphore *after = NULL;
  VkQueue queue = baker->compute_queue;
  if (baker->setup.is_staged) {
    CVK_PASS(submit(baker, baker->upload_queue, &slot->upload, NULL, 0, &slot->uploaded, VK_NULL_HANDLE));
    CVK_PASS(submit(
        baker, baker->compute_queue, &slot->compute, &slot->uploaded, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        &slot->computed, VK_NULL_HANDLE));
    after = &slot->computed;
    queue = baker->download_queue;
  }
  return submit(baker, queue, &slot->into[target], after, VK_PIPELINE_STAGE_TRANSFER_BIT, NULL, slot->done);
}

cvk_status cvk_submit_shader(cvk_baker *baker, uint32_t index) {
  const cvk_slot *slot = &baker->slots[index];
  CVK_TRY(&baker->vk, ResetFences, baker->device, 1, &slot->done);
  const VkCommandBuffer *commands = baker->setup.is_staged ? &slot->compute : &slot->into[0];
  return submit(baker, baker->compute_queue, commands, NULL, 0, NULL, slot->done);
}

cvk_status cvk_wait(cvk_baker *baker, uint32_t index, uint64_t nanoseconds) {
  const VkResult result =
      baker->vk.WaitForFences(baker->device, 1, &baker->slots[index].done, VK_TRUE, nanoseconds);
  if (result == VK_SUCCESS) return cvk_success;
  if (result == VK_TIMEOUT) baker->is_hung = 1;
  return (cvk_status){ result == VK_TIMEOUT ? CVK_TIMEOUT : result, "vkWaitForFences" };
}
